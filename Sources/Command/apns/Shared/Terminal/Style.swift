/// Colours text for a terminal, or leaves it plain.
struct Style: Hashable, Sendable {
    var isColoured: Bool

    static let plain = Style(isColoured: false)

    func good(_ text: String) -> String { paint(text, "32") }
    func bad(_ text: String) -> String { paint(text, "31") }
    func doubtful(_ text: String) -> String { paint(text, "33") }
    func strong(_ text: String) -> String { paint(text, "1") }

    private func paint(_ text: String, _ code: String) -> String {
        isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
