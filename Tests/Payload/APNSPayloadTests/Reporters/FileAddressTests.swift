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
        ("/work/p/a.json", "p/a.json"), ("/work//a.json", "a.json"), ("/work/./p/a.json", "p/a.json"),
        ("/works/a.json", "/works/a.json"), ("/work", "/work"), ("/work/", "/work/"), ("./p/a.json", "p/a.json"),
        ("work/a.json", "work/a.json"),
    ])
    func `an absolute path below the folder is relative to it`(name: String, path: String) {
        #expect(FileAddress.path(name, in: "/work") == path)
        #expect(FileAddress.path(name, in: "/work/") == path)
        #expect(FileAddress.path(name, in: nil) == FileAddress.path(name))
    }

    @Test(arguments: [
        ("a b/ü.json", "a%20b/%C3%BC.json"), ("./x#1?.json", "x%231%3F.json"), ("/tmp/a.json", "file:///tmp/a.json"),
        ("\u{1}", "%01"),
    ])
    func `a URI has escapes and is relative for a relative path`(name: String, uri: String) {
        #expect(FileAddress.uri(name) == uri)
    }
}
