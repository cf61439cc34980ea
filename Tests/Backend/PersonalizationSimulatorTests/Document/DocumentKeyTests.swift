import PersonalizationSimulator
import RepositoryFiles
import Testing

struct DocumentKeyTests {
    @Test func `docs/personalization.md has the table of keys`() throws {
        let page = try Repository.text("docs/personalization.md")
        #expect(
            page.contains("<!-- keys -->\n\(DocumentKey.table)<!-- /keys -->"), "the table is:\n\(DocumentKey.table)")
    }

    @Test func `each kind of mapping has keys, and none twice`() {
        for place in DocumentKey.Place.allCases {
            let names = DocumentKey.names(in: place)
            #expect(!names.isEmpty && names.count == Set(names).count)
        }
    }
}
