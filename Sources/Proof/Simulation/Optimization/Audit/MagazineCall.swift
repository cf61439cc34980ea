/// A call of the app that reports something.
///
/// @unchecked: only the main queue uses it.
final class MagazineCall: @unchecked Sendable {
    enum State: Hashable {
        /// It is not known whether there is an event, also after the process has ended.
        case open
        /// The library has an event.
        case queued
        /// There is no event, and none may arrive.
        case refused
    }

    let type: String
    let marker: String
    let person: Int
    /// The person's answer at that moment.
    let answer: Bool?
    var isForProfile = false
    var isForAnalytics = false
    var state = State.open
    /// There was no profile to which it could belong.
    var isWithoutProfile = false

    init(_ type: String, marker: String, person: Int, answer: Bool?) {
        self.type = type
        self.marker = marker
        self.person = person
        self.answer = answer
    }
}
