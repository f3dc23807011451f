// Whoever imports a room sees the rooms beneath it.
@_exported public import SluiceGating
