// A metric is searched by its name: its page, whose title that is, comes before all others
const IS_TITLE = 15;

var Scorer = {
  score: ([docname, title, anchor, description, score]) =>
    score + (docname.startsWith("api/metrics/") && score >= IS_TITLE ? 40 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: IS_TITLE,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
