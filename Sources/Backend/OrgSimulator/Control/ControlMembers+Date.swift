import PushDispatch
import SelectiveSync
import ServiceHost

extension ControlMembers {
    /// A time as RFC 3339, in the form of the REST interface, or Unix seconds.
    mutating func date(_ key: String) throws(ControlProblem) -> ServerDate? {
        guard let value = value(key) else { return nil }
        if case .integer(let seconds) = value, (0...ServiceClock.range.upperBound / 1_000).contains(seconds) {
            return ServerDate(millisecondsSince1970: seconds * 1_000)
        }
        guard let date = value.string.flatMap({ ServerDate($0) }),
            ServiceClock.range.contains(date.millisecondsSince1970)
        else { throw wrong(key, value, "a time such as 2026-05-20T20:49:32Z, or Unix seconds,") }
        return date
    }
}
