import PayloadJSON

/// Builds the payload of a simple alert push in compact form.
///
/// ```swift
/// let payload = AlertPayload.alert("Hi")
/// ```
public enum AlertPayload {
    /// With a title the alert becomes an object; without one `body` alone is shown.
    public static func alert(_ body: String, title: String? = nil) -> [UInt8] {
        var bytes = Array(#"{"aps":{"alert":"#.utf8)
        if let title {
            bytes += #"{"title":"#.utf8
            JSONWriter.append(title, to: &bytes)
            bytes += #","body":"#.utf8
            JSONWriter.append(body, to: &bytes)
            bytes.append(UInt8(ascii: "}"))
        } else {
            JSONWriter.append(body, to: &bytes)
        }
        return bytes + Array("}}".utf8)
    }
}
