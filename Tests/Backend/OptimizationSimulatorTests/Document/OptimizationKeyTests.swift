import OptimizationSimulator
import RepositoryFiles
import Testing

struct OptimizationKeyTests {
    @Test func `docs/optimization.md has the table of keys`() throws {
        let page = try Repository.text("docs/optimization.md")
        #expect(
            page.contains("<!-- keys -->\n\(OptimizationKey.table)<!-- /keys -->"),
            "the table is:\n\(OptimizationKey.table)")
    }
}
