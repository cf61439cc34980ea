import Testing

@testable import APNSPayload

struct FileAddressTests {
    @Test(arguments: [
        ("a.json", "a.json"), ("./a.json", "a.json"), (".//./b/a.json", "b/a.json"), ("/a.json", "/a.json"),
        ("../a.json", "../a.json"), ("./", "./"),
    ])
    func `a path has no leading dot`(name: String, path: String) {
        #expect(FileAddress.path(name) == path)
    }

    @Test(arguments: [
        ("a b/ü.json", "a%20b/%C3%BC.json"), ("./x#1?.json", "x%231%3F.json"), ("/tmp/a.json", "file:///tmp/a.json"),
        ("\u{1}", "%01"),
    ])
    func `a URI has escapes and is relative for a relative path`(name: String, uri: String) {
        #expect(FileAddress.uri(name) == uri)
    }
}
