extension Output {
    /// The heading of a scene of the demo.
    func scene(_ name: String, _ text: String) {
        result("")
        result("  " + results.strong(name.padded(to: 14)) + text)
        flush()
    }

    /// A line below the heading of a scene.
    func line(_ text: String) {
        result(String(repeating: " ", count: 16) + text)
        flush()
    }

    /// A line below the heading of a scene that begins with its subject, such as "phone".
    func line(_ subject: String, _ text: String) { line(subject.padded(to: 8) + text) }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
