import Foundation

/// A block of Swift code on a page or in a doc comment.
struct CodeBlock: CustomStringConvertible {
    let file: String
    let line: Int
    /// The modules that it imports; empty for an excerpt.
    let imports: Set<String>
    /// What stands between blank lines, without imports and indentation.
    let pieces: [[String]]

    var description: String { "\(file):\(line)" }

    /// A block that stands in a manifest. `tools/check-docs` compiles these.
    var isOfManifest: Bool { [".package(", ".testTarget("].contains { pieces.first?.first?.hasPrefix($0) == true } }

    /// All blocks of a page, or of the doc comments of a source file.
    static func all(of file: String, text: String) -> [CodeBlock] {
        let isSource = file.hasSuffix(".swift")
        var blocks: [CodeBlock] = []
        var open: (line: Int, lines: [String])?
        for (number, line) in text.components(separatedBy: "\n").enumerated() {
            var words = line.trimmingCharacters(in: .whitespaces)
            if isSource {
                guard words.hasPrefix("///") else { continue }
                words = words.dropFirst(3).trimmingCharacters(in: .whitespaces)
            }
            if words == "```swift" {
                open = (number + 1, [])
            } else if words == "```", let block = open {
                let code = CompiledCode.split(block.lines)
                let pieces = code.lines.split(separator: "").map(Array.init)
                blocks.append(CodeBlock(file: file, line: block.line, imports: code.imports, pieces: pieces))
                open = nil
            } else {
                open?.lines.append(words)
            }
        }
        return blocks
    }
}
