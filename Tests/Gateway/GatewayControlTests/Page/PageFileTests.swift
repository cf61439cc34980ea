import Testing

@testable import GatewayControl

struct PageFileTests {
    @Test(arguments: [
        ("index.html", "text/html; charset=utf-8"), ("page.css", "text/css; charset=utf-8"),
        ("main.js", "text/javascript; charset=utf-8"), ("icon.svg", "image/svg+xml"),
        ("data.bin", "application/octet-stream"),
    ])
    func `the content type goes by the name`(name: String, wanted: String) {
        #expect(PageFile(name: name, text: "").contentType == wanted)
    }

    @Test func `each file of the page has a name of its own`() {
        #expect(Set(PageFile.all.map(\.name)).count == PageFile.all.count)
    }
}
