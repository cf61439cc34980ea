import Foundation
import PayloadJSON

/// Where deliveries go after the simulated device.
public enum ForwardingTarget: Hashable, Sendable {
    /// A booted iOS simulator, by `xcrun simctl push`.
    ///
    /// - Parameters:
    ///   - device: Its UDID or name, or `booted`.
    ///   - bundleID: The app there; nil is the one that the notification is for.
    case simulator(device: String, bundleID: String?)
    /// A program, run by `/bin/sh -c` for each delivery, with the envelope on its standard input.
    ///
    /// - Parameter printsToErrors: Whether its output goes to our errors, because a script reads ours.
    case command(String, printsToErrors: Bool)

    /// For a person.
    public var name: String {
        switch self {
        case .simulator(let device, _): "the simulator \(device)"
        case .command: "the command"
        }
    }

    /// A delivery that this target can never take.
    struct Refusal: Error, Hashable {
        var words: String
    }

    /// What has to be run for a delivery.
    ///
    /// - Parameter environment: The variables of this process.
    func program(
        for push: DeliveredPush, attempt: Int, environment: [String: String]
    ) throws(Refusal) -> ChildProgram {
        switch self {
        case .command(let command, let printsToErrors):
            // The envelope ends as a line does, so that programs append lines to a file.
            return ChildProgram(
                file: "/bin/sh", arguments: ["-c", command],
                environment: ForwardingTarget.environment(for: push, attempt, environment),
                input: .standardInput(push.envelope + [UInt8(ascii: "\n")]),
                output: printsToErrors ? .toErrors : .passedOn)
        case .simulator(let device, let bundleID):
            guard let xcrun = ChildProgram.find("xcrun", path: environment["PATH"] ?? "") else {
                throw Refusal(words: ForwardingTarget.noXcrun)
            }
            let target = try ForwardingTarget.bundleID(of: push, bundleID)
            return ChildProgram(
                file: xcrun, arguments: ["simctl", "push", device, target], environment: environment,
                input: .file(try ForwardingTarget.simulatorPayload(push, target), suffix: ".apns"), output: .kept)
        }
    }

    /// Nil where this machine has what is needed; otherwise what is missing.
    public func missing(path: String) -> String? {
        guard case .simulator = self, ChildProgram.find("xcrun", path: path) == nil else { return nil }
        return ForwardingTarget.noXcrun
    }

    private static let noXcrun =
        "there is no xcrun on the PATH; simulators need a Mac with Xcode. With --exec a program of your own gets the "
        + "deliveries"

    /// The facts of the delivery beside our own variables. A variable of ours for a fact that this one lacks goes.
    static func environment(
        for push: DeliveredPush, _ attempt: Int, _ own: [String: String]
    ) -> [String: String] {
        var all = own
        let facts: [(String, String?)] = [
            ("APNS_UNIQUE_ID", push.uniqueID), ("APNS_ID", push.apnsID), ("APNS_REQUEST_ID", push.requestID),
            ("APNS_PUSH_TYPE", push.pushType), ("APNS_TOPIC", push.topic), ("APNS_PRIORITY", push.priority),
            ("APNS_EXPIRATION", push.expiration), ("APNS_COLLAPSE_ID", push.collapseID),
            ("APNS_CHANNEL_ID", push.channelID), ("APNS_DEVICE_TOKEN", push.shortToken),
            ("APNS_ATTEMPT", "\(attempt)"),
        ]
        for (name, value) in facts { all[name] = value }
        return all
    }

    private static func bundleID(of push: DeliveredPush, _ given: String?) throws(Refusal) -> String {
        let topic = push.topic ?? ""
        let kinds = ["", "alert", "background"]
        guard kinds.contains(push.pushType ?? "") else {
            throw Refusal(
                words: "simctl takes alert and background pushes only, and this one is of the type "
                    + (push.pushType ?? "that nobody named"))
        }
        guard let bundleID = given ?? (topic.isEmpty ? nil : topic) else {
            throw Refusal(words: "the delivery names no topic; say with --bundle which app it is for")
        }
        return bundleID
    }

    /// The payload with the key that names the app, as the file of a simulator has it. simctl takes 4096 bytes, and whether
    /// it counts that key is not written anywhere, so a payload without room for it goes as it is: the app stands among
    /// the arguments too.
    static func simulatorPayload(_ push: DeliveredPush, _ bundleID: String) throws(Refusal) -> [UInt8] {
        guard let document = try? JSONDocument(push.payload), document.kind(of: .root) == .object,
            let aps = document.member("aps", of: .root), document.kind(of: aps) == .object
        else { throw Refusal(words: "simctl takes a JSON object with an object under the key aps, and this has none") }
        guard document.member(named: ForwardingTarget.simulatorKey, of: .root) == nil,
            let open = push.payload.firstIndex(of: UInt8(ascii: "{"))
        else { return push.payload }
        let key = Array("\(JSONWriter.quoted(ForwardingTarget.simulatorKey)):\(JSONWriter.quoted(bundleID)),".utf8)
        guard push.payload.count + key.count <= 4096 else { return push.payload }
        var payload = push.payload
        payload.insert(contentsOf: key, at: open + 1)
        return payload
    }

    private static let simulatorKey = "Simulator Target Bundle"
}
