"""The classifiers that the papers compare, built on the support vector machines of scikit-learn.

`DataReplication` is the oSVM of Cardoso & Sousa, `FrankHall` the method of Frank & Hall over any
binary classifier. One against one is what scikit-learn's `SVC` does with several classes.
"""

from functools import partial
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.dummy import DummyClassifier
from sklearn.svm import SVC

Floats: TypeAlias = npt.NDArray[np.float64]


class DataReplication(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """One support vector machine for all cuts between classes: the boundaries are parallel.

    Each row is replicated once per cut. The replica of cut q is positive if the class is above q,
    and its kernel is ``(1 + x . z)^degree + h^2 [q = q' >= 1]``. The predicted class is the number
    of positive replicas.

    References
    ----------
    J. S. Cardoso and J. F. Pinto da Costa, Learning to classify ordinal data: the data replication
    method, J. Mach. Learn. Res. 8 (2007) 1393-1429.
    """

    def __init__(
        self, n_classes: int = 2, C: float = 1.0, h: float = 1.0, degree: int = 1
    ) -> None:
        self.n_classes = n_classes
        self.C = C
        self.h = h
        self.degree = degree

    def fit(self, X: Floats, y: npt.NDArray[np.int64]) -> "DataReplication":
        """Fit the machine to the replicas of the rows, whose classes are 0 to n_classes - 1."""
        self.classes_ = np.arange(self.n_classes)
        above = (y[None, :] > self.classes_[:-1, None]).ravel()
        # The constant of a linear kernel makes no difference, and scikit-learn's own is faster
        polynomial = partial(replica_kernel, n_features=X.shape[1], degree=self.degree)
        kernel = "linear" if self.degree == 1 else polynomial
        # With the usual tolerance of 0.001, a large C and h take a hundred times as many steps
        self.machine_ = SVC(C=self.C, kernel=kernel, tol=0.01).fit(self._replicas(X), above)
        return self

    def predict(self, X: Floats) -> npt.NDArray[np.int64]:
        """Count the positive replicas of each row."""
        return (self.decide(X) > 0).sum(0)

    def decide(self, X: Floats) -> Floats:
        """Return the decision function of each cut, which differ by constants."""
        decided = self.machine_.decision_function(self._replicas(X))
        return np.asarray(decided).reshape(self.n_classes - 1, -1)

    def _replicas(self, X: Floats) -> Floats:
        """Append the extension features of each cut to the rows; those of the first are 0."""
        extensions = self.h * np.eye(self.n_classes - 1)
        extensions[0] = 0
        n_cuts, n = len(extensions), len(X)
        return np.hstack([np.tile(X, (n_cuts, 1)), np.repeat(extensions, n, axis=0)])


def replica_kernel(a: Floats, b: Floats, n_features: int, degree: int) -> Floats:
    """Multiply replicas: a polynomial of the features, plus the product of the extensions."""
    of_features: Floats = (1 + a[:, :n_features] @ b[:, :n_features].T) ** degree
    return of_features + a[:, n_features:] @ b[:, n_features:].T


class FrankHall(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """One binary classifier per cut between classes; the class is the number of positive ones.

    References
    ----------
    E. Frank and M. Hall, A simple approach to ordinal classification, ECML 2001, 145-156,
    doi:10.1007/3-540-44795-4_13.
    """

    def __init__(self, binary: Any = None, n_classes: int = 2) -> None:
        self.binary = binary
        self.n_classes = n_classes

    def fit(self, X: Floats, y: npt.NDArray[np.int64]) -> "FrankHall":
        """Fit a classifier per cut; where all rows are on one side, it is constant."""
        self.classes_ = np.arange(self.n_classes)
        self.cuts_ = []
        for cut in self.classes_[:-1]:
            above = y > cut
            one_side = above.all() or not above.any()
            binary = DummyClassifier() if one_side else clone(self.binary)
            self.cuts_.append(binary.fit(X, above))
        return self

    def predict(self, X: Floats) -> npt.NDArray[np.int64]:
        """Count the cuts that each row is above."""
        return np.asarray(np.sum([cut.predict(X) for cut in self.cuts_], axis=0), np.int64)
