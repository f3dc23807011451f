// Importing a module makes the modules below it visible.
@_exported public import SluiceCore
