import APNSModel
import APNSPayload
import ArgumentParser

/// The content that `--title`, `--body`, `--sound` and the like give, and the payload made from it.
struct ContentArguments: Hashable, Sendable {
    /// The text of an alert, as `body` is. The two are separate options because `--alert` is part of the fixed interface.
    var alert: String?
    var title: String?
    var subtitle: String?
    var body: String?
    var sound: String?
    var badge: UInt32?
    var threadID: String?
    var category: String?
    var custom = CustomData()
    /// Nil for a push that is not personalized.
    var personalized: PersonalizedArguments?

    /// The options that were given, for messages.
    var given: [String] {
        [
            alert.map { _ in "--alert" }, title.map { _ in "--title" }, subtitle.map { _ in "--subtitle" },
            body.map { _ in "--body" }, sound.map { _ in "--sound" }, badge.map { _ in "--badge" },
            threadID.map { _ in "--thread-id" }, category.map { _ in "--category" },
            custom.values.isEmpty ? nil : "--custom",
        ].compactMap(\.self)
    }

    /// Whether there is only the app's own data.
    var isOnlyCustom: Bool { given == ["--custom"] }

    /// - Throws: `ValidationError` about options that do not belong together.
    func check() throws {
        if alert != nil, body != nil {
            throw ValidationError("--alert and --body are both the text of the alert; give one of them.")
        }
        if subtitle != nil, title == nil { throw ValidationError("--subtitle needs --title.") }
        guard hasAlert || sound != nil || badge != nil || isOnlyCustom else {
            throw ValidationError(
                "\(given.joined(separator: " and ")) needs something to show or to hear: --title, --body, --sound or --badge."
            )
        }
    }

    /// - Parameter pushType: The given one; nil where none was.
    /// - Throws: `ValidationError` where a push of this type cannot be made from the options.
    func check(for pushType: PushType?) throws {
        guard isOnlyCustom, pushType != .background else { return }
        throw ValidationError(
            "--custom alone makes a payload that shows nothing: add --push-type background for a silent push, or --title, "
                + "--body, --sound or --badge.")
    }

    /// - Throws: `ValidationError` where a personalized push cannot be made from the options.
    func checkPersonalized() throws {
        guard personalized != nil else { return }
        guard hasAlert else {
            throw ValidationError("--personalized needs an alert, which the user opens: --title, --body or --alert.")
        }
        do throws(CommandError) {
            _ = try payload()
        } catch {
            throw ValidationError(error.message)
        }
    }

    /// The payload: that of a background push for the app's own data alone, otherwise that of an alert. A check of the
    /// payload says where it does not suit the push type.
    ///
    /// - Throws: About a personalized push that an app would not understand.
    func payload() throws(CommandError) -> [UInt8] {
        if isOnlyCustom { return BackgroundPush(custom: custom).encoded() }
        let sound = sound.map { $0 == "default" ? AlertSound.standard : .file($0) }
        let text = body ?? alert
        var push: AlertPush
        if let title {
            push = AlertPush(
                Alert(
                    title: .plain(title), subtitle: subtitle.map { .plain($0) }, body: text.map { .plain($0) }),
                badge: badge, sound: sound, custom: custom)
        } else if let text {
            push = AlertPush(Alert(.plain(text)), badge: badge, sound: sound, custom: custom)
        } else if let badge {
            push = AlertPush(badge: badge, sound: sound, custom: custom)
        } else {
            push = AlertPush(sound: sound ?? .standard, custom: custom)
        }
        push.threadID = threadID
        push.category = category
        if let personalized { return try personalized.push(push).encoded() }
        return push.encoded()
    }

    private var hasAlert: Bool { alert != nil || title != nil || body != nil }
}
