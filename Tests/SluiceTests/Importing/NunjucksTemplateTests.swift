@testable import Sluice
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Nunjucks templates")
struct NunjucksTemplateTests {
  @Test(
    "Names, comments, conditions and loops are converted to templates with the same output",
    arguments: [
      ("Hi {{ name }}", "Hi {{name}}"),
      ("{{user.name}} {{ user['role'] }}", "{{user.name}} {{user.role}}"),
      ("a{# gone #}b", "ab"),
      ("{% if flag %}yes{% else %}no{% endif %}", "{{#flag}}yes{{/flag}}{{^flag}}no{{/flag}}"),
      ("{% if not flag %}no{% endif %}", "{{^flag}}no{{/flag}}"),
      ("{% for x in list %}- {{ x }}\n{% endfor %}", "{{#list}}- {{.}}\n{{/list}}"),
      ("{% for p in people %}{{p.name}};{% endfor %}", "{{#people}}{{name}};{{/people}}"),
      ("A\n{% if flag %}\nB\n{% endif %}\nC", "A\n{{#flag}}\n\nB\n{{/flag}}\n\nC"),
      ("A\n  {% if flag %}\nB{% endif %}", "A\n  {{! }}{{#flag}}\nB{{/flag}}"),
      ("A {%- if flag -%} B {%- endif %}", "A{{#flag}}B{{/flag}}"),
    ]
  )
  func counterparts(_ text: String, _ counterpart: String) throws {
    let template = try NunjucksTemplate(text)
    #expect(try template.counterpart() == counterpart)
    let people: JSONValue = [["name": "Ana"], ["name": "Ben"]]
    for flag in ["x", ""] as [JSONValue] {
      let vars: JSONValue = [
        "name": "Ana", "user": ["name": "Ben", "role": "r"], "flag": flag, "list": ["a", "b"],
        "people": people,
      ]
      #expect(try Template(counterpart).render(vars) == template.render(vars))
    }
  }

  @Test(
    "A tag that cannot be converted is reported with the reason",
    arguments: [
      ("{{ name | upper }}", "a filter"), ("{{ env.KEY }}", "an environment variable"),
      ("{{ list[0] }}", "an index into a list"), ("{{ f(x) }}", "a function"),
      ("{{ a + b }}", "an expression instead of a name"), ("{% set x = 1 %}", "the tag 'set'"),
      ("{% if a == 'b' %}c{% endif %}", "a condition other than a name"),
      ("{% for k, v in map %}{% endfor %}", "a loop over something other than a name"),
      ("{{ name", "a tag that is never closed"), ("{% if a %}", "a tag that is never closed"),
      ("{% raw %}{{ x }}{% endraw %}", "braces that are meant as plain text"),
      ("{{ _conversation }}", "the conversation of earlier tests"),
    ]
  )
  func unsupported(_ text: String, _ reason: String) {
    do throws(NunjucksTemplate.Unsupported) {
      _ = try NunjucksTemplate(text)
      Issue.record("\(text) was read")
    } catch {
      #expect(error.reason == reason)
    }
  }

  @Test("Missing and null values are empty, as in Nunjucks")
  func missing() throws {
    let template = try NunjucksTemplate("[{{a}}{{b.c}}{{d}}]")
    #expect(template.render(["d": nil]) == "[]")
    #expect(template.render(["a": 1.5, "b": ["c": true], "d": ["x", 2]]) == "[1.5truex,2]")
  }
}
