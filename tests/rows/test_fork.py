"""A process that is forked while threads count and score is not held up by them."""

from __future__ import annotations

import subprocess
import sys
from threading import Event, Thread

import pytest

from pandas_ordinal.counting import forks

FORKS = """
import os
import signal
import sys
import threading

import pandas as pd

import pandas_ordinal as po

df = pd.DataFrame({"y": [0, 1, 2] * 9, "yhat": [0, 2, 2] * 9, "score": [0, 1, 2] * 9})
counter = po.Counter(classes=range(3))


def work():
    counter.update(df, "y", "yhat")
    whole = counter.cube.sum() % 27 == 0
    values = df.ordinal.mae("y", "yhat"), df.ordinal.vus("y", score="score")
    return whole and values == (1 / 3, 1.0)


def score_for_ever():
    while True:
        work()


work()  # imports everything
sys.setswitchinterval(1e-6)
for _ in range(3):
    threading.Thread(target=score_for_ever, daemon=True).start()
for _ in range(40):
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        os._exit(0 if work() else 1)
    _, status = os.waitpid(child, 0)
    if status:
        print(f"a child ended with status {status}")
        os._exit(1)
os._exit(0)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
def test_children_of_a_process_whose_threads_score() -> None:
    command = [sys.executable, "-W", "ignore", "-c", FORKS]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


FIRST_USE = """
import os
import signal
import sys
import threading
import time

import pandas as pd

import pandas_ordinal as po

df = pd.DataFrame({"y": [0, 1, 2] * 9, "yhat": [0, 2, 2] * 9})
started = threading.Event()


class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            started.set()
            time.sleep(0.2)


sys.meta_path.insert(0, Slow())
threading.Thread(target=df.ordinal.report, args=("y", "yhat"), kwargs={"ci": 0.9}).start()
started.wait()
child = os.fork()
if child == 0:
    signal.alarm(20)
    df.ordinal.report("y", "yhat", ci=0.9)
    os._exit(0)
_, status = os.waitpid(child, 0)
os._exit(bool(status))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
@pytest.mark.parametrize("module", ["pandas_ordinal.inference.interval", "scipy.special"])
def test_a_child_of_a_process_that_is_importing(module: str) -> None:
    command = [sys.executable, "-W", "ignore", "-c", FIRST_USE, module]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


def test_a_local_variable_of_another_thread_is_no_import() -> None:
    started, ends = Event(), Event()

    def wait(name: str) -> None:
        started.set()
        ends.wait(60)

    thread = Thread(target=wait, args=("scipy.special",))
    thread.start()
    started.wait(60)
    try:
        assert forks._imported_by_others() == set()
    finally:
        ends.set()
        thread.join()
