import PushDispatch

/// All steps of a script, or all mistakes in it.
package struct PlayScript<Action: PlayAction>: Sendable {
    package private(set) var steps: [PlayStep<Action>] = []
    package private(set) var mistakes: [PlayLineMistake] = []

    /// - Parameter name: Of the file, for messages.
    package init(_ bytes: [UInt8], name: String) {
        for (line, text) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            do throws(PlayMistake) {
                if let step = try PlayStep<Action>.read(Array(text)) { steps.append(step) }
            } catch {
                mistakes.append(PlayLineMistake(name, line: line + 1, error.detail))
            }
        }
    }
}

/// What the results of a script should be, a line each.
package struct PlayExpectations: Sendable {
    package private(set) var expectations: [PlayExpectation] = []
    package private(set) var mistakes: [PlayLineMistake] = []

    /// - Parameter name: Of the file, for messages.
    package init(_ bytes: [UInt8], name: String) {
        let limits = JSONLimits(maximumBytes: 1 << 20, maximumDepth: 64, maximumValues: 100_000)
        for (line, text) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            guard !PlayText.isSkipped(text) else { continue }
            do throws(JSONReadError) {
                expectations.append(PlayExpectation(try JSONReader.read(Array(text), limits: limits)))
            } catch {
                mistakes.append(
                    PlayLineMistake(
                        name, line: line + 1, "\(error); a line has what one result should be, as a JSON object"))
            }
        }
    }
}

/// A line of a file that cannot be used.
package struct PlayLineMistake: Hashable, Sendable, CustomStringConvertible {
    /// The file's name.
    package var name: String
    /// From 1.
    package var line: Int
    package var detail: String

    package init(_ name: String, line: Int, _ detail: String) {
        self.name = name
        self.line = line
        self.detail = detail
    }

    package var description: String { "\(name):\(line): \(detail)" }
}

enum PlayText {
    /// Whether a line is blank or a comment.
    static func isSkipped(_ line: some Collection<UInt8>) -> Bool {
        let blank = [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")]
        guard let first = line.first(where: { !blank.contains($0) }) else { return true }
        return first == UInt8(ascii: "#")
    }
}
