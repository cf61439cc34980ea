/// Writes the changes of a file as a unified diff for `patch` and `git apply`. Lines are added in order, so that only a
/// few unchanged lines are held in memory.
package struct UnifiedDiff: Sendable {
    private let name: String
    private var oldLine = 1
    private var newLine = 1
    /// Unchanged lines, which may be context of the next change.
    private var before: [[UInt8]] = []
    private var hunk: Hunk?
    private var hasHeader = false

    fileprivate struct Hunk {
        var oldStart: Int
        var newStart: Int
        var oldCount = 0
        var newCount = 0
        var text: [UInt8] = []
    }

    private static let context = 3

    /// - Parameter name: The name of the file on both sides. The leading `/` of an absolute path is left out, as in
    ///   git.
    package init(name: String) {
        self.name = String(name.drop { $0 == "/" })
    }

    /// Adds an unchanged line, with its line end. Returns the text that is complete.
    package mutating func same(_ line: [UInt8]) -> [UInt8] {
        defer {
            oldLine += 1
            newLine += 1
        }
        guard hunk != nil else {
            before.append(line)
            if before.count > UnifiedDiff.context { before.removeFirst() }
            return []
        }
        before.append(line)
        // After twice the context, the next change does not belong to this hunk any more.
        guard before.count > 2 * UnifiedDiff.context else { return [] }
        return close()
    }

    /// Adds a removed line. Its replacement follows with `added`.
    package mutating func removed(_ line: [UInt8]) {
        open()
        hunk?.append("-", line)
        hunk?.oldCount += 1
        oldLine += 1
    }

    package mutating func added(_ line: [UInt8]) {
        open()
        hunk?.append("+", line)
        hunk?.newCount += 1
        newLine += 1
    }

    /// The rest of the text; empty if no line has changed.
    package mutating func end() -> [UInt8] { hunk == nil ? [] : close() }

    private mutating func open() {
        if hunk == nil {
            hunk = Hunk(oldStart: oldLine - before.count, newStart: newLine - before.count)
        }
        for line in before { hunk?.keep(line) }
        before = []
    }

    private mutating func close() -> [UInt8] {
        guard var hunk else { return [] }
        for line in before.prefix(UnifiedDiff.context) { hunk.keep(line) }
        before = Array(before.dropFirst(UnifiedDiff.context).suffix(UnifiedDiff.context))
        self.hunk = nil
        var text: [UInt8] = []
        if !hasHeader {
            text += "--- a/\(name)\n+++ b/\(name)\n".utf8
            hasHeader = true
        }
        let old = "\(hunk.oldCount == 0 ? hunk.oldStart - 1 : hunk.oldStart),\(hunk.oldCount)"
        let new = "\(hunk.newCount == 0 ? hunk.newStart - 1 : hunk.newStart),\(hunk.newCount)"
        text += "@@ -\(old) +\(new) @@\n".utf8
        return text + hunk.text
    }
}

extension UnifiedDiff.Hunk {
    fileprivate mutating func keep(_ line: [UInt8]) {
        append(" ", line)
        oldCount += 1
        newCount += 1
    }

    fileprivate mutating func append(_ mark: Unicode.Scalar, _ line: [UInt8]) {
        text.append(UInt8(ascii: mark))
        text += line
        if line.last != UInt8(ascii: "\n") { text += "\n\\ No newline at end of file\n".utf8 }
    }
}

extension UnifiedDiff {
    /// The diff of two texts.
    package static func between(_ old: [UInt8], _ new: [UInt8], name: String) -> [UInt8] {
        let (oldLines, newLines) = (lines(of: old), lines(of: new))
        let difference = newLines.difference(from: oldLines)
        var removals: Set<Int> = []
        var insertions: Set<Int> = []
        for change in difference {
            switch change {
            case .remove(let offset, _, _): removals.insert(offset)
            case .insert(let offset, _, _): insertions.insert(offset)
            }
        }
        var diff = UnifiedDiff(name: name)
        var text: [UInt8] = []
        var (oldIndex, newIndex) = (0, 0)
        while oldIndex < oldLines.count || newIndex < newLines.count {
            if oldIndex < oldLines.count, removals.contains(oldIndex) {
                diff.removed(oldLines[oldIndex])
                oldIndex += 1
            } else if newIndex < newLines.count, insertions.contains(newIndex) {
                diff.added(newLines[newIndex])
                newIndex += 1
            } else {
                text += diff.same(oldLines[oldIndex])
                oldIndex += 1
                newIndex += 1
            }
        }
        return text + diff.end()
    }

    private static func lines(of text: [UInt8]) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var start = 0
        for (index, byte) in text.enumerated() where byte == UInt8(ascii: "\n") {
            lines.append(Array(text[start...index]))
            start = index + 1
        }
        if start < text.count { lines.append(Array(text[start...])) }
        return lines
    }
}
