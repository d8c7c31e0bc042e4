"""The door of evals: list suites, start a run, follow it."""

from evals.service.running import begin, eval_run, eval_runs, start, suites, work

__all__ = ["begin", "eval_run", "eval_runs", "start", "suites", "work"]
