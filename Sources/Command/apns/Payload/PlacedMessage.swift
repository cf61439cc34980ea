import APNSPayload
import PayloadJSON

/// A message that begins with its place: `file:line:column: message`.
enum PlacedMessage {
    static func text(_ source: SourceText, at offset: Int, _ message: String) -> String {
        let place = LineIndex(source.bytes).location(of: offset)
        return "\(source.name):\(source.firstLine + place.line - 1):\(place.column): \(message)"
    }
}
