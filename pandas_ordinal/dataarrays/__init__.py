"""DataArrays of labels, scores and probabilities, counted over dimensions."""
