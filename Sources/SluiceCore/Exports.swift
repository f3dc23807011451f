// Importing this module also makes the modules below it visible.
@_exported public import SluiceSupport
@_exported public import SluiceStatistics
