// One import for users: the rooms of the library are no business of theirs.
@_exported public import SluiceReporting
