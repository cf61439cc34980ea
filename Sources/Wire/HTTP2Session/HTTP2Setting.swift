/// One entry of a SETTINGS frame (RFC 9113 section 6.5.2).
package struct HTTP2Setting: Hashable, Sendable {
    package let identifier: UInt16
    package let value: UInt32

    package static func headerTableSize(_ bytes: UInt32) -> Self { Self(identifier: 1, value: bytes) }
    package static func enablePush(_ enabled: Bool) -> Self { Self(identifier: 2, value: enabled ? 1 : 0) }
    package static func maxConcurrentStreams(_ count: UInt32) -> Self { Self(identifier: 3, value: count) }
    package static func initialWindowSize(_ bytes: UInt32) -> Self { Self(identifier: 4, value: bytes) }
    package static func maxFrameSize(_ bytes: UInt32) -> Self { Self(identifier: 5, value: bytes) }
    package static func maxHeaderListSize(_ bytes: UInt32) -> Self { Self(identifier: 6, value: bytes) }
}
