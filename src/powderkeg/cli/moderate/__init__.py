"""Games by mail: mailboxes in, answers to every player out."""
