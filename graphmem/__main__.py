"""`python -m graphmem` is the command `graphmem`."""

from graphmem.cli import main

if __name__ == "__main__":
    main()
