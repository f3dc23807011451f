// Importing this module also imports the modules that it builds on.
@_exported public import SluiceGating
