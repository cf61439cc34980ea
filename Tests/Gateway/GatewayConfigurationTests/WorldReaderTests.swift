import GatewayConfiguration
import Testing

struct WorldReaderTests {
    @Test(arguments: [("a", "", "a"), ("a", "conf", "conf/a"), ("a/b", "conf/", "conf/a/b"), ("/a", "conf", "/a")])
    func `a relative path is one in the folder of the file`(path: String, folder: String, wanted: String) {
        #expect(WorldReader.path(path, in: folder) == wanted)
    }
}
