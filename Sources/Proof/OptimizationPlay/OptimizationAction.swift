package import AppPlay
package import Optimization
package import PushDispatch

/// A step of `apns optimization play` (docs/reference/interfaces.md 1.8).
package enum OptimizationAction: Sendable {
    case configure(OptimizationSetup)
    case initialize
    case destroy
    /// - storage: Of the later generation; nil for the same answer.
    case consent(Bool, storage: Bool?)
    case reset
    case identify(userID: String, traits: [String: JSONValue])
    case page([String: JSONValue])
    case screen(String, [String: JSONValue])
    /// - viewID: Nil for a new one.
    case trackView(TrackedEntry, viewID: String?, milliseconds: Int64)
    case trackClick(TrackedEntry)
    case flush(isForced: Bool)
    case online(Bool)
    case background
    case foreground
    case kill
    case resolve(PlayedEntry)
    case visible(PlayedEntry, ratio: Double, VisibleSettings)
    case tap(PlayedEntry)
    case liveUpdates(Bool)
    /// - Nil: As the app.
    case entryLiveUpdates(PlayedEntry, Bool?)
    case panel(isOpen: Bool)
    case overrideAudience(String, isQualified: Bool, experienceIDs: [String]?)
    case overrideVariant(String, index: Int)
    case resetAudience(String)
    case resetVariant(String)
    case resetOverrides
    case previewState
    case state
    case queue
    case mergeTag(PlayedEntry)
    case flag(String)
}

/// Which entry a step is about.
package enum PlayedEntry: Hashable, Sendable {
    /// One that the delivery service has.
    case delivered(String)
    /// One that stands in the script, with its links replaced.
    case given(ContentEntry)
}

/// When an entry counts as seen, as far as the step says so.
package struct VisibleSettings: Hashable, Sendable {
    package var threshold: Double?
    package var viewTimeMilliseconds: Int64?
    /// Nil for the configuration's; an inner nil for none.
    package var updateIntervalMilliseconds: Int64??

    package init() {}

    var isEmpty: Bool { threshold == nil && viewTimeMilliseconds == nil && updateIntervalMilliseconds == nil }
}

extension OptimizationAction: PlayAction {
    package static let names = [
        "configure", "initialize", "destroy", "consent", "reset", "identify", "page", "screen", "track-view",
        "track-click", "flush", "online", "background", "foreground", "kill", "resolve", "visible", "tap",
        "live-updates", "entry-live-updates", "panel", "override-audience", "override-variant", "reset-audience",
        "reset-variant", "reset-overrides", "preview-state", "state", "queue", "merge-tag", "flag",
    ]

    package static func read(
        _ name: String, _ members: inout PlayMembers
    ) throws(PlayMistake) -> OptimizationAction {
        if let action = try event(name, &members) { return action }
        if let action = try entry(name, &members) { return action }
        if let action = try preview(name, &members) { return action }
        switch name {
        case "configure": return .configure(try OptimizationSetup(&members))
        case "initialize": return .initialize
        case "destroy": return .destroy
        case "consent":
            return .consent(try value(&members), storage: try members.flag("storage"))
        case "reset": return .reset
        case "flush": return .flush(isForced: try members.flag("force") ?? false)
        case "online": return .online(try value(&members))
        case "background": return .background
        case "foreground": return .foreground
        case "kill": return .kill
        case "live-updates": return .liveUpdates(try value(&members))
        case "state": return .state
        case "queue": return .queue
        case "flag":
            return .flag(try text("key", "the name of a flag", &members))
        default: throw PlayMistake("there is no step \"\(name)\"")
        }
    }

    private static func event(
        _ name: String, _ members: inout PlayMembers
    ) throws(PlayMistake) -> OptimizationAction? {
        switch name {
        case "identify":
            return .identify(
                userID: try text("userId", "the id of a person", &members), traits: try members.object("traits") ?? [:])
        case "page": return .page(try members.object("properties") ?? [:])
        case "screen":
            return .screen(try text("name", "the name of a screen", &members), try members.object("properties") ?? [:])
        case "track-view":
            let viewID = try members.string("viewId")
            let milliseconds = try members.integer("viewDurationMs", in: 0...PlayMembers.maximumSeconds) ?? 0
            return .trackView(
                try tracked(&members, isSticky: try members.flag("sticky") ?? false), viewID: viewID,
                milliseconds: milliseconds)
        case "track-click": return .trackClick(try tracked(&members, isSticky: false))
        default: return nil
        }
    }

    private static func entry(
        _ name: String, _ members: inout PlayMembers
    ) throws(PlayMistake) -> OptimizationAction? {
        switch name {
        case "resolve": return .resolve(try entry(&members))
        case "visible":
            let ratio = try members.required("ratio", "the visible part of the entry's height, from 0 to 1") {
                members throws(PlayMistake) in try members.number("ratio", in: 0...1)
            }
            return .visible(try entry(&members), ratio: ratio, try VisibleSettings(&members))
        case "tap": return .tap(try entry(&members))
        case "entry-live-updates":
            let value = members.raw("value")
            let isLive: Bool?
            switch value {
            case .bool(let flag)?: isLive = flag
            case .null?: isLive = nil
            case let other:
                throw members.wrong("value", other ?? .null, "true, false, or null for the app's setting")
            }
            return .entryLiveUpdates(try entry(&members), isLive)
        case "merge-tag": return .mergeTag(try entry(&members))
        default: return nil
        }
    }

    private static func preview(
        _ name: String, _ members: inout PlayMembers
    ) throws(PlayMistake) -> OptimizationAction? {
        let audience = "the id of an audience"
        let experience = "the id of an experience"
        switch name {
        case "panel":
            return .panel(
                isOpen: try members.required("open", "true or false") { members throws(PlayMistake) in
                    try members.flag("open")
                })
        case "override-audience":
            let isQualified = try members.required("qualified", "true or false") { members throws(PlayMistake) in
                try members.flag("qualified")
            }
            return .overrideAudience(
                try text("id", audience, &members), isQualified: isQualified,
                experienceIDs: try members.strings("experienceIds"))
        case "override-variant":
            let index = try members.required("index", "the number of a variant, 0 for the baseline") {
                members throws(PlayMistake) in try members.integer("index", in: 0...1_000_000)
            }
            return .overrideVariant(try text("experienceId", experience, &members), index: Int(index))
        case "reset-audience": return .resetAudience(try text("id", audience, &members))
        case "reset-variant": return .resetVariant(try text("experienceId", experience, &members))
        case "reset-overrides": return .resetOverrides
        case "preview-state": return .previewState
        default: return nil
        }
    }

    // Keys.

    private static func value(_ members: inout PlayMembers) throws(PlayMistake) -> Bool {
        try members.required("value", "true or false") { members throws(PlayMistake) in try members.flag("value") }
    }

    private static func text(
        _ key: String, _ form: String, _ members: inout PlayMembers
    ) throws(PlayMistake) -> String {
        try members.required(key, form) { members throws(PlayMistake) in try members.string(key) }
    }

    private static func entry(_ members: inout PlayMembers) throws(PlayMistake) -> PlayedEntry {
        let form = "an entry with its links replaced, or the id of a delivered one"
        switch members.value("entry") {
        case .object(let object)?: return .given(ContentEntry(object))
        case .string(let id)? where !id.isEmpty: return .delivered(id)
        case let other?: throw members.wrong("entry", other, form)
        case nil: return try members.required("entry", form) { _ throws(PlayMistake) in nil }
        }
    }

    private static func tracked(_ members: inout PlayMembers, isSticky: Bool) throws(PlayMistake) -> TrackedEntry {
        TrackedEntry(
            componentID: try text("componentId", "the id of the baseline", &members),
            experienceID: try members.string("experienceId"),
            variantIndex: Int(try members.integer("variantIndex", in: 0...1_000_000) ?? 0), isSticky: isSticky)
    }
}

extension VisibleSettings {
    fileprivate init(_ members: inout PlayMembers) throws(PlayMistake) {
        threshold = try members.number("threshold", in: 0...1)
        viewTimeMilliseconds = try members.integer("viewTimeMs", in: 0...PlayMembers.maximumSeconds)
        let key = "viewDurationUpdateIntervalMs"
        switch members.raw(key) {
        case nil: break
        case .null?: updateIntervalMilliseconds = .some(nil)
        case let value?:
            guard case .integer(let number) = value, (1...PlayMembers.maximumSeconds).contains(number) else {
                throw members.wrong(key, value, "milliseconds from 1 on, or null for none,")
            }
            updateIntervalMilliseconds = number
        }
    }

    /// - Parameter rules: The configuration's.
    func applied(to rules: ViewTrackingRules) -> ViewTrackingRules {
        var rules = rules
        if let threshold { rules.threshold = threshold }
        if let viewTimeMilliseconds { rules.viewTimeMilliseconds = viewTimeMilliseconds }
        if let updateIntervalMilliseconds { rules.updateIntervalMilliseconds = updateIntervalMilliseconds }
        return rules
    }
}
