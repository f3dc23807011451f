// Users import Sluice alone and never name a room.
@_exported public import SluiceReporting
