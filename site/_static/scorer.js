// The page of a metric is found before those of its methods, which have its name in their titles
const BEFORE = { "api/metrics/": 40, "api/": -10 };

var Scorer = {
  score: ([docname, title, anchor, description, score]) => {
    const folder = Object.keys(BEFORE).find((start) => docname.startsWith(start));
    return score + (BEFORE[folder] ?? 0);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
