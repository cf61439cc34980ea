import APNSModel
import PayloadJSON

extension JSONText {
    /// Adds a time as RFC 3339.
    ///
    /// - Parameter milliseconds: Since 1970-01-01 UTC.
    package mutating func add(_ name: StaticString, time milliseconds: Int64) { add(name, TimeText.text(milliseconds)) }
}
