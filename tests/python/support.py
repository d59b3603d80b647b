"""What the tests of the package share."""


def raises(kind, words, call, *arguments, **named):
    """Calls, and expects an exception of the kind with the words in its sentence."""
    try:
        call(*arguments, **named)
    except kind as exception:
        assert words in str(exception), exception
    else:
        raise AssertionError(f"no {kind.__name__}: {words}")
