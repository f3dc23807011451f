import SluiceReporting

/// The syntax tree of JavaScript or Python code, limited to code with an equivalent ``Expression``.
///
/// The code is never run. It is parsed and translated to the expression.
indirect enum Script {
  case literal(JSONValue)
  case undefined
  case name(String)
  /// `base.key`, or `base?.key`, which is undefined if the base is undefined or null.
  case member(Script, String, isOptional: Bool)
  case index(Script, Script)
  case call(Script, [Script])
  /// A function with one parameter.
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

  /// The reason why code has no equivalent expression.
  struct Untranslatable: Error, Equatable {
    var reason: String
  }
}
