import SluiceReporting

/// A piece of JavaScript or Python as a tree: the part of both that expressions can say.
///
/// Nothing of it is ever run. It is read to be written as an ``Expression`` of the same meaning.
indirect enum Script {
  case literal(JSONValue)
  case undefined
  case name(String)
  /// `base.key`, or `base?.key`, which is undefined where the base is.
  case member(Script, String, isOptional: Bool)
  case index(Script, Script)
  case call(Script, [Script])
  /// A function of one parameter.
  case function(String, Script)
  case not(Script)
  case negative(Script)
  case typeOf(Script)
  case binary(String, Script, Script)
  case and(Script, Script)
  case or(Script, Script)
  case conditional(Script, Script, Script)
  case list([Script])
  case object([(key: String, value: Script)])
  case regex(pattern: String, flags: String)

  enum Language {
    case javaScript, python
  }

  /// The reason for which a piece of code cannot be written as an expression.
  struct Untranslatable: Error, Equatable {
    var reason: String
  }
}
