"""What needs an extra says so before it does anything."""

import pytest

from powderkeg.core.extras import MissingExtra, need_extra


def test_installed_packages_are_enough():
    need_extra("arena", "json", "email.message")


def test_a_missing_extra_is_an_import_error_with_the_remedy():
    with pytest.raises(ImportError) as error:
        need_extra("arena", "json", "no_such_package")
    assert isinstance(error.value, MissingExtra)
    assert 'pip install "powderkeg[arena]"' in str(error.value)
