// Users import only Sluice, never the modules below it.
@_exported public import SluiceReporting
