import PayloadLint
import Testing

struct GlobTests {
    @Test(arguments: [
        ("*.json", "a.json"), ("*.json", "deep/down/a.json"), ("silent/**", "silent/a.json"),
        ("silent/**", "silent/deep/a.json"), ("silent", "silent/a.json"), ("silent/", "x/silent/a.json"),
        ("**/silent/*.json", "silent/a.json"), ("**/silent/*.json", "x/y/silent/a.json"), ("a/**/b.json", "a/b.json"),
        ("a/**/b.json", "a/x/y/b.json"), ("a?.json", "ab.json"), ("[a-c]?.json", "bx.json"), ("[!a-c].json", "d.json"),
        ("*.{json,apns}", "push.apns"), ("{a,b/{c,d}}/*.json", "b/d/x.json"), (#"\*.json"#, "*.json"),
        ("[]a].json", "].json"), ("ü*.json", "über.json"), ("**", "a"), ("a*b*c*d", "aXbXbcXcd"),
    ])
    func `a pattern matches`(pattern: String, path: String) throws {
        #expect(try Glob(pattern).matches(Glob.Path(path)))
    }

    @Test(arguments: [
        ("*.json", "a.apns"), ("silent/**", "loud/a.json"), ("silent/**", "x/silent/a.json"), ("silent/**", "silent"),
        ("*/a.json", "a.json"), ("*/a.json", "x/y/a.json"), ("a?.json", "a.json"), ("a*b", "a/b"),
        ("[!a].json", "a.json"),
        (#"\*.json"#, "a.json"), ("A.json", "a.json"), ("a/**/b.json", "a/bb.json"),
    ])
    func `a pattern does not match`(pattern: String, path: String) throws {
        #expect(try !Glob(pattern).matches(Glob.Path(path)))
    }

    @Test(arguments: [
        ("", "it is empty"), ("[a", "a [ in it is not closed"), ("{a,b", "a { in it is not closed"),
        ("a}", "no matching {"), ("[z-a]", "is in reverse order"), ("../a", "the part . or .."),
        ("/etc/*", "begins with /"),
        ("a//b", "two / in a row"), ("!a", "begins with !"), (#"a\"#, "ends with a backslash"),
        ("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", "more than 256"),
    ])
    func `an invalid pattern is reported with the reason`(pattern: String, why: String) {
        let error = #expect(throws: Glob.PatternError.self) { try Glob(pattern) }
        #expect(error?.description.contains(why) == true, "\(error?.description ?? "")")
    }

    @Test func `matching a hostile pattern ends`() throws {
        let pattern = String(repeating: "a*", count: 40) + "b"
        #expect(try !Glob(pattern).matches(Glob.Path(String(repeating: "a", count: 2000))))
        let folders = String(repeating: "**/a/", count: 5) + "b"
        #expect(try !Glob(folders).matches(Glob.Path(String(repeating: "a/", count: 40) + "c")))
    }
}
