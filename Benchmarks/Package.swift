// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Benchmarks",
    dependencies: [
        .package(name: "swift-flowplayer", path: ".."),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    ],
    targets: [
        .executableTarget(
            name: "startup",
            dependencies: [.product(name: "Subprocess", package: "swift-subprocess")]
        ),
        .executableTarget(
            name: "startup-player",
            dependencies: [.product(name: "FlowplayerSDK", package: "swift-flowplayer")]
        ),
        .executableTarget(name: "startup-peer", linkerSettings: [.linkedLibrary("vlc")]),
    ],
    swiftLanguageModes: [.v6]
)
