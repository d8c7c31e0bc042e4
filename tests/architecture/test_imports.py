"""The one-way street, as import-linter contracts."""

from importlinter.cli import lint_imports


def test_every_import_contract_is_kept() -> None:
    assert lint_imports(config_filename="pyproject.toml") == 0
