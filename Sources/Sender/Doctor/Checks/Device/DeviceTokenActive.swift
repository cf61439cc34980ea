import APNSModel

extension DoctorCheck {
    static let deviceTokenActive = DoctorCheck(
        id: "device-token-active", layer: .device,
        summary: "The app with this device token is still installed, as far as APNs knows.",
        cause: "The app was removed, or got a new device token.",
        next: "delete the device token, unless the app has registered it again after that time",
        subject: { DevicePush.answer(in: $0) }
    ) { push in
        switch push.answer {
        case .none(let why, _), .certificateRefused(let why): return .skip(why)
        case .accepted: return .pass("the device token is active; APNs learns of a removed app with a delay")
        case .refused(let reason, let timestamp) where reason == .unregistered || reason == .expiredToken:
            let since = timestamp.map { ", since \(UTCDateText.text($0 / 1000)) at the latest" } ?? ""
            return .fail("the device token is no longer active (\(CredentialAnswer.text(reason)))\(since)")
        case .refused(.tooManyRequests, _): return .pass("the device token is active")
        case .refused(let reason, _):
            return .skip("\(CredentialAnswer.text(reason)) was answered, which is judged before it")
        }
    }
}
