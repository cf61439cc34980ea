import Foundation
import Testing
import RepositoryFiles

/// What a page or a doc comment shows as Swift is compiled, and most of it is run: each block stands word for word in a
/// test, in `Examples/SyncApp`, or, where it needs Apple's frameworks, in what `tools/check-adapters` type-checks.
struct PageTests {
    private static let root = Repository.root

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The files under a folder, without what a build put there.
    private static func files(under folder: String, _ suffix: String) throws -> [String] {
        let found = try #require(FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path))
        return found.compactMap { $0 as? String }.filter { $0.hasSuffix(suffix) && !$0.contains(".build") }
            .map { "\(folder)/\($0)" }.sorted()
    }

    @Test func `each block of Swift is compiled`() throws {
        let compiled = try [("Tests", ".swift"), ("Examples", ".swift"), ("tools/lib/apple-stubs", ".swift.txt")]
            .flatMap(Self.files).map { CompiledCode(try Self.text($0)) }
        let pages =
            try ["README.md"] + Self.files(under: "docs", ".md") + Self.files(under: "Sources", ".md")
            + Self.files(under: "Sources", ".swift")
        let blocks = try pages.flatMap { CodeBlock.all(of: $0, text: try Self.text($0)) }
        #expect(blocks.count >= 60)
        for block in blocks where !block.isOfManifest {
            let isCompiled = compiled.contains { $0.shows(block) }
            // An excerpt may come from several places.
            let isPatchwork =
                block.imports.isEmpty && block.pieces.allSatisfy { piece in compiled.contains { $0.contains(piece) } }
            #expect(isCompiled || isPatchwork, "\(block) stands nowhere in code that is compiled, with these imports")
        }
    }
}
