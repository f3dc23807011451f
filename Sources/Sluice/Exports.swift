// Importing Sluice also imports the modules that it builds on, so that users need only one import.
@_exported public import SluiceReporting
