// Declarations of SwiftUI, as far as the adapters and Examples/SyncApp need them.
//
// Seen in:
// [a] Averyy/apple-dev-docs, documentation/SwiftUI: uiapplicationdelegateadaptor.md
// [b] developer.apple.com/documentation/swiftui/app, as several public repositories keep it
// [c] public copies of SwiftUI's module interface: the modifiers `task` and `refreshable`
// The containers (WindowGroup, List, Text) have fewer initializers here than in the SDK, and were not compared.
public import Foundation
public import UIKit

// [b] Isolated to the main actor.
@MainActor @preconcurrency
public protocol App {
    associatedtype Body: Scene
    @SceneBuilder var body: Body { get }
    init()
}

extension App {
    public static func main() {}
}

// Not compared.
@MainActor @preconcurrency
public protocol Scene {}

@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { fatalError("a stand-in") }
}

@resultBuilder
public enum SceneBuilder {
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

@resultBuilder
public enum ViewBuilder {
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
}

public struct WindowGroup<Content: View>: Scene {
    public init(@ViewBuilder content: () -> Content) {}
}

public struct Text: View {
    public init<Content: StringProtocol>(_ content: Content) {}
    public var body: Never { fatalError("a stand-in") }
}

public struct List<Rows: RandomAccessCollection, Row: View>: View where Rows.Element: Identifiable {
    public init(_ data: Rows, @ViewBuilder rowContent: @escaping (Rows.Element) -> Row) {}
    public var body: Never { fatalError("a stand-in") }
}

// [c] Both closures are @Sendable; that of `task` runs on the actor of the code around it.
extension View {
    public func task(
        priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View { self }

    public func refreshable(action: @escaping @Sendable () async -> Void) -> some View { self }
}

// Not compared.
@propertyWrapper
public struct State<Value> {
    public var wrappedValue: Value {
        get { value }
        nonmutating set {}
    }
    private let value: Value

    public init(wrappedValue: Value) { value = wrappedValue }
}

extension State: Sendable where Value: Sendable {}

// [a] Isolated to the main actor. The delegate is an NSObject.
@MainActor @preconcurrency @propertyWrapper
public struct UIApplicationDelegateAdaptor<DelegateType: NSObject & UIApplicationDelegate> {
    public init(_ delegateType: DelegateType.Type = DelegateType.self) {}
    public var wrappedValue: DelegateType { fatalError("a stand-in") }
}

// [d] developer.apple.com/documentation/swiftui: view/onappear(perform:), view/ontapgesture(count:perform:), lazyhstack,
// scrollview, foreach, viewmodifier, as several public repositories keep it. Generic containers have one initializer each here.
extension View {
    public nonisolated func onAppear(perform action: (() -> Void)? = nil) -> some View { self }

    public nonisolated func onTapGesture(count: Int = 1, perform action: @escaping () -> Void) -> some View { self }

    public nonisolated func modifier<Modifier: ViewModifier>(_ modifier: Modifier) -> ModifiedContent<Self, Modifier> {
        ModifiedContent()
    }
}

@MainActor @preconcurrency
public protocol ViewModifier {
    associatedtype Body: View
    typealias Content = ViewModifierContent<Self>
    @ViewBuilder func body(content: Content) -> Body
}

public struct ViewModifierContent<Modifier: ViewModifier>: View {
    public var body: Never { fatalError("a stand-in") }
}

public struct ModifiedContent<Content, Modifier> {
    nonisolated init() {}
}

extension ModifiedContent: View where Content: View, Modifier: ViewModifier {
    public var body: Never { fatalError("a stand-in") }
}

public struct EitherView<First: View, Second: View>: View {
    public var body: Never { fatalError("a stand-in") }
}

extension ViewBuilder {
    public static func buildEither<First: View, Second: View>(first: First) -> EitherView<First, Second> {
        fatalError("a stand-in")
    }

    public static func buildEither<First: View, Second: View>(second: Second) -> EitherView<First, Second> {
        fatalError("a stand-in")
    }
}

public enum Axis {
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8

        public init(rawValue: Int8) { self.rawValue = rawValue }

        public static let horizontal = Set(rawValue: 1)
    }
}

public struct ScrollView<Content: View>: View {
    public nonisolated init(_ axes: Axis.Set, showsIndicators: Bool = true, @ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError("a stand-in") }
}

public struct LazyHStack<Content: View>: View {
    public nonisolated init(spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError("a stand-in") }
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View {
    public nonisolated init(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {}
    public var body: Never { fatalError("a stand-in") }
}
