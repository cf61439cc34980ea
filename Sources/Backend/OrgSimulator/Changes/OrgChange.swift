package import PushDispatch
package import SelectiveSync

/// One save of changes, step by step: what the triggers decided, which push calls they made, which devices got a push,
/// and what the gateway answered.
package struct OrgChange: Hashable, Sendable {
    /// Consecutive numbers from 1.
    package let number: Int
    package let date: ServerDate
    /// The user that the change ran as.
    package let user: RecordID
    package let source: ChangeSource.Kind
    /// The changed records, in the order of the save.
    package internal(set) var records: [Record] = []
    /// Why the save failed or was undone, so that nothing is stored; nil for a save that is stored.
    package internal(set) var failure: OrgError?
    /// The flaws of triggers that are the reason of the failure.
    package internal(set) var failureFlaws: [PushTrigger.Flaw] = []
    /// The triggers that fired, by object.
    package internal(set) var triggers: [Trigger] = []
    package internal(set) var calls: [Call] = []
    /// Users with a device. Those who are not a target of a call come first, and the list ends after `maximumOthers`.
    package internal(set) var others: [Other] = []
    /// How many users who are not a target of a call are not in `others`.
    package internal(set) var uncounted = 0

    static let maximumOthers = 100

    package struct Record: Hashable, Sendable {
        package let id: RecordID
        package let object: String
        /// The fields whose values the change replaced, in the order of their names.
        package let fields: [String]
        /// Nil if the object has no trigger.
        package let decision: PushTrigger.Decision?
        package let flaws: [PushTrigger.Flaw]
        /// The fields that the trigger watches.
        package let watched: [String]
    }

    package struct Trigger: Hashable, Sendable {
        package let object: String
        package let target: PushTrigger.Target
        package let application: String
    }

    /// A push call for one user.
    package struct Call: Hashable, Sendable {
        package let type: String
        package let application: String
        package let user: RecordID
        package let target: PushTrigger.Target
        package let records: [RecordID]
        package let flaws: [PushTrigger.Flaw]
        /// How many of the records the user may not see. A device that fetches these gets no answer for them.
        package let hidden: Int
        /// Whether the call was made in a later transaction, because that of the change had reached its limit.
        package let isDeferred: Bool
        /// Why the call reached no device; nil for a call that reached one, or that was not made yet.
        package var obstacle: Obstacle?
        /// All registrations of the user.
        package var devices: [Device] = []
    }

    package enum Obstacle: Hashable, Sendable {
        case pushOff
        case noApp
        case noKey
        case tooLong(bytes: Int)
        case noRegistration
        case noDevice
    }

    package struct Device: Hashable, Sendable {
        package let id: RecordID
        package let name: String
        package let registered: ServerDate
        package var fate: Fate
        /// Whether the device made the change that it gets a push for.
        package let isEcho: Bool
        /// Nil as long as there is none.
        package var answer: Answer?
    }

    package enum Fate: Hashable, Sendable {
        case sent
        case otherService
        case otherApp(bundleID: String)
        case madeTheChange
        case hourlyLimit
        /// Nil if the payload could not be encrypted.
        case tooLong(bytes: Int?)
    }

    /// The gateway's answer to the push for one device.
    package struct Answer: Hashable, Sendable {
        package let date: ServerDate
        /// Nil if there is no answer.
        package let status: Int?
        /// The reason of a refusal, or why there is no answer.
        package let detail: String?
        package let apnsID: String?
        package let uniqueID: String?
    }

    package struct Other: Hashable, Sendable {
        package let user: RecordID
        package let devices: Int
        /// Whether the user may see one of the records that the triggers fired for.
        package let seesRecord: Bool
    }

    /// The place of a push call in the org's changes.
    package struct CallPlace: Hashable, Sendable {
        let change: Int
        let call: Int
    }

    /// The place of a notification in the org's changes.
    package struct DevicePlace: Hashable, Sendable {
        let call: CallPlace
        let device: Int
        let name: String
    }

    init(number: Int, at date: ServerDate, by user: RecordID, from source: ChangeSource.Kind) {
        self.number = number
        self.date = date
        self.user = user
        self.source = source
    }

    /// A measure of its memory.
    var size: Int { records.count + others.count + calls.reduce(0) { $0 + 1 + $1.records.count + $1.devices.count } }
}
