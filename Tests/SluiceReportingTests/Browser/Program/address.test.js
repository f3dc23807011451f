"use strict";

rule("A state is restored from its fragment", () => {
  const state = { chosen: [["outcome", "failed"], ["tag", "a&b=c d"]], words: ["x", "y=&"], sort: "case", case: "s/p/b/c%2F1/1" };
  const fragment = fragmentOf(state);
  expectEqual(fragment, "outcome=failed&tag=a%26b%3Dc%20d&q=x%20y%3D%26&sort=case&case=s/p/b/c%2F1/1");
  expectEqual(stateOf(fragment), { ...state, from: null });
});

rule("A fragment that cannot be decoded stays unchanged", () => {
  expectEqual(stateOf("tag=%zz&plain&=x"), { chosen: [["tag", "%zz"], ["", "x"]], words: [], sort: "", case: null, from: null });
});

rule("Parts of addresses are encoded as the page writes them", () => expectEqual(encodedPart("it's a/b"), "it%27s%20a%2Fb"));

rule("The search for a case visits every page once", () => {
  const files = ["report.html", "report-2.html", "report-3.html"];
  expectEqual(nextPage(files, 1, null), "report-3.html");
  expectEqual(nextPage(files, 2, "report-2.html"), "report.html");
  expectEqual(nextPage(files, 0, "report-2.html"), null);
  expectEqual(nextPage([], -1, null), null);
  expectEqual(nextPage(["report.html"], 0, null), null);
});
