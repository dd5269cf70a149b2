def test_up(settings): assert settings
