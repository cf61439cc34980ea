import Foundation
import Testing

/// The guides show code of `Examples/SyncApp`, which is built and tested, and name what exists.
struct GuideTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    static let guides = [
        "Sources/PushDispatch/PushDispatch.docc/TakingPushes.md",
        "Sources/SelectiveSync/SelectiveSync.docc/KeepingRecordsInStep.md",
    ]

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// All Swift files under a folder, without what a build put there.
    private static func sources(under folder: String) throws -> [String] {
        let path = root.appendingPathComponent(folder).path
        let files = try #require(FileManager.default.enumerator(atPath: path))
        return try files.compactMap { $0 as? String }
            .filter { $0.hasSuffix(".swift") && !$0.contains(".build/") }
            .map { try text("\(folder)/\($0)") }
    }

    private static func lines(_ text: some StringProtocol) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// What stands between blank lines in the blocks of Swift code.
    private static func pieces(of page: String) -> [[String]] {
        let blocks = page.components(separatedBy: "```swift\n").dropFirst()
        return blocks.map { $0.components(separatedBy: "\n```")[0] }
            .flatMap { lines($0).split(separator: "").map(Array.init) }
    }

    @Test(arguments: guides)
    func `each piece of code in a guide stands in the example`(guide: String) throws {
        let files = try Self.sources(under: "Examples/SyncApp").map(Self.lines)
        let pieces = Self.pieces(of: try Self.text(guide))
        #expect(pieces.count >= 10)
        for piece in pieces {
            let isThere = files.contains { file in
                file.indices.contains { file[$0...].starts(with: piece) }
            }
            #expect(isThere, "\(guide): \(piece.joined(separator: "\n"))")
        }
    }

    /// The words behind `func`, `struct` and so on.
    private static func declaredNames(_ code: [String]) -> Set<String> {
        let keywords: Set<Substring> = [
            "struct", "class", "actor", "enum", "protocol", "typealias", "func", "var", "let", "case",
        ]
        var names: Set<String> = []
        for file in code {
            let words = file.split(whereSeparator: \.isWhitespace)
            for (word, next) in zip(words, words.dropFirst()) where keywords.contains(word) {
                names.insert(String(next.prefix { $0.isLetter || $0.isNumber || $0 == "_" }))
            }
        }
        return names
    }

    @Test(arguments: guides)
    func `each name that a guide links to is declared`(guide: String) throws {
        let module = guide.split(separator: "/")[1]
        let code = try Self.sources(under: "Sources/\(module)")
        let declared = Self.declaredNames(code)
        // Every other part stands between fences, and is code.
        let prose = try Self.text(guide).components(separatedBy: "```").enumerated()
            .filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined()
        let links = prose.matches(of: /``([^`]+)``/).map { String($0.output.1) }
        #expect(links.count >= 5)
        for link in links {
            for name in link.split(separator: "/") {
                // Of `run(_:until:)` the name is looked for, and the labels.
                let parts = name.split(whereSeparator: { "(:)".contains($0) }).map(String.init).filter { $0 != "_" }
                let base = try #require(parts.first)
                #expect(base == "init" || declared.contains(base), "\(guide): \(link)")
                for label in parts.dropFirst() {
                    let isThere = code.contains { $0.contains("\(label):") || $0.contains("\(label) ") }
                    #expect(isThere, "\(guide): \(link)")
                }
            }
        }
    }
}
