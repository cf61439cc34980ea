import PayloadLint
import Testing

struct PathTextTests {
    @Test(arguments: [
        ("a/b.json", "/project", "/project/a/b.json"), ("../b", "/project", "/b"), ("./a//b/.", "/", "/a/b"),
        ("/x/../../y", "/project", "/y"), ("", "/project", "/project"),
    ])
    func `paths become absolute`(path: String, folder: String, absolute: String) {
        #expect(PathText.absolute(path, in: folder) == absolute)
    }

    @Test func `paths become relative`() {
        #expect(PathText.relative("/project/a/b", to: "/project") == "a/b")
        #expect(PathText.relative("/a", to: "/project/b") == "../../a")
        #expect(PathText.relative("/project", to: "/project") == ".")
        #expect(PathText.folder(of: "/a") == "/" && PathText.folder(of: "/a/b") == "/a")
    }

    @Test(arguments: [("a/b.json", "a/", "b.json"), ("b.json", "", "b.json"), ("/b", "/", "b"), ("a/", "a/", "")])
    func `a path is split after its last slash`(path: String, folder: String, name: String) {
        let (foundFolder, foundName) = PathText.split(path)
        #expect(String(foundFolder) == folder && String(foundName) == name)
    }
}
