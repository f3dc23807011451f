// Importing a room makes the rooms below it visible.
@_exported public import SluiceSupport
@_exported public import SluiceStatistics
