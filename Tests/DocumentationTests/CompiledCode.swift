import Foundation

/// A file that is compiled somewhere, to find code in.
struct CompiledCode {
    let imports: Set<String>
    private let lines: [String]
    private let places: [String: [Int]]

    init(_ text: String) {
        let trimmed = text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let code = CompiledCode.split(trimmed)
        imports = code.imports
        lines = code.lines
        places = Dictionary(grouping: code.lines.indices) { code.lines[$0] }
    }

    /// Whether these lines stand there one after the other.
    func contains(_ piece: [String]) -> Bool {
        places[piece[0], default: []].contains { lines[$0...].starts(with: piece) }
    }

    /// Whether a user who pastes the block has what it needs: each piece stands here, and what this file imports is what
    /// the block imports. A test framework comes on top.
    func shows(_ block: CodeBlock) -> Bool {
        (block.imports.isEmpty || block.imports == imports || block.imports == imports.subtracting(["Testing"]))
            && block.pieces.allSatisfy(contains)
    }

    static func split(_ lines: [String]) -> (imports: Set<String>, lines: [String]) {
        var imports: Set<String> = []
        var rest: [String] = []
        for line in lines {
            if let found = line.wholeMatch(of: /(?:@testable |public )?import (\w+)/) {
                imports.insert(String(found.output.1))
            } else {
                rest.append(line)
            }
        }
        return (imports, rest)
    }
}
