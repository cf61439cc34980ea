/// A Lua script that the server runs in one step.
package struct RedisScript: Hashable, Sendable {
    package let source: String

    package init(_ source: String) { self.source = source }

    /// The command of a call that stands in a line, counted from 1, or around it, such as `XACK`.
    func command(inLine number: Int) -> String? {
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        for index in [number - 1, number, number - 2] where lines.indices.contains(index) {
            let line = lines[index].drop(while: \.isWhitespace)
            let name = line.firstRange(of: "call('").map { line[$0.upperBound...] } ?? line.dropFirst()
            // In a long call the command begins a line.
            guard line.contains("call('") || line.first == "'" else { continue }
            return String(name.prefix { $0 != "'" })
        }
        return nil
    }
}
