/** Things of computers and offices in other languages; columns as in `foreign-actions.ts`. */
export const foreignComputing = `
file|文件 档案|ファイル 文書|파일|datei dateien|archivo fichero|fichier|arquivo ficheiro|файл
folder/directory|文件夹 目录|フォルダ フォルダー ディレクトリ|폴더 디렉터리 디렉토리|ordner verzeichnis|carpeta directorio|dossier répertoire|pasta diretório|папка каталог директория
document|文档 文件|文書 ドキュメント 書類|문서|dokument|documento|document|documento|документ
text|文本 文字|テキスト 文字|텍스트|text|texto|texte|texto|текст
paragraph|段落|段落|단락|absatz|párrafo|paragraphe|parágrafo|абзац
table|表格 表|表 テーブル|표 테이블|tabelle|tabla|tableau|tabela|таблица
spreadsheet/excel/sheet|电子表格 工作表|表計算 スプレッドシート シート エクセル|스프레드시트 시트 엑셀|tabellenblatt arbeitsblatt|hoja_de_cálculo hoja|feuille_de_calcul tableur|planilha|таблица лист
row|行|行|행|zeile|fila|ligne|linha|строка
column|列|列|열|spalte|columna|colonne|coluna|столбец
cell|单元格|セル|셀|zelle|celda|cellule|célula|ячейка
formula|公式|数式|수식|formel|fórmula|formule|fórmula|формула
presentation/slide|演示文稿 幻灯片|プレゼン スライド プレゼンテーション|프레젠테이션 슬라이드|präsentation folie|presentación diapositiva|présentation diapositive|apresentação slide|презентация слайд
page|页面 页|ページ|페이지|seite|página|page|página|страница
image/picture|图片 图像 图|画像 イメージ 図|이미지 그림|bild bilder grafik|imagen foto|image|imagem|изображение картинка
photo/image|照片 相片|写真|사진|foto|foto fotografía|photo|foto|фото фотография
video|视频 影片|動画 ビデオ 映像|동영상 비디오 영상|video|vídeo|vidéo|vídeo|видео
subtitle/transcript|字幕|字幕|자막|untertitel|subtítulo|sous-titre|legenda|субтитры
audio/sound|音频 声音|音声 オーディオ 音|오디오 소리|audio ton|audio sonido|audio son|áudio som|аудио звук
speech/voice|语音|音声 スピーチ|음성|sprache stimme|voz habla|voix parole|voz fala|речь голос
screenshot|截图 屏幕截图|スクリーンショット|스크린샷|bildschirmfoto|captura_de_pantalla|capture_d'écran|captura_de_tela|скриншот
screen|屏幕|画面 スクリーン|화면|bildschirm|pantalla|écran|tela|экран
chart/graph|图表 图形|グラフ チャート 図表|차트 그래프|diagramm grafik schaubild|gráfico gráfica|graphique diagramme|gráfico|график диаграмма
pie chart|饼图 饼状图|円グラフ|원형차트 파이차트|kreisdiagramm tortendiagramm|gráfico_circular gráfico_de_pastel gráfico_de_sectores|camembert diagramme_circulaire|gráfico_de_pizza|круговая
pie|饼|円|원형|kreis torte|circular pastel|circulaire|pizza|круговой
bar chart|柱状图 条形图|棒グラフ|막대그래프|balkendiagramm säulendiagramm|gráfico_de_barras|histogramme|gráfico_de_barras|столбчатая
bar/column|柱状 条形|棒|막대|balken säulen|barra barras|barre barres|barra barras|столбец
line chart|折线图|折れ線グラフ|선그래프|liniendiagramm|gráfico_de_líneas|courbe|gráfico_de_linhas|линейный
line|折线 线|折れ線 線|선|linien linie|línea líneas|ligne lignes|linha linhas|линия
scatter|散点图 散点|散布図|산점도|streudiagramm punktdiagramm|dispersión|nuage_de_points|dispersão|рассеяния
histogram|直方图|ヒストグラム|히스토그램|histogramm|histograma|histogramme|histograma|гистограмма
radar|雷达图|レーダーチャート|레이더|netzdiagramm|radar|radar|radar|радар
flow diagram|流程图|フローチャート 流れ図|순서도 흐름도|flussdiagramm ablaufdiagramm|diagrama_de_flujo|organigramme|fluxograma|блок-схема
mind map|思维导图 脑图|マインドマップ|마인드맵|gedankenkarte mindmap|mapa_mental|carte_mentale|mapa_mental|интеллект-карта
network graph|网络图 关系图|ネットワーク図|네트워크|netzwerkdiagramm|grafo|réseau|rede|граф
diagram|示意图 图解|図 ダイアグラム|다이어그램|diagramm|diagrama|diagramme schéma|diagrama|диаграмма схема
word cloud|词云|ワードクラウド|워드클라우드|wortwolke|nube_de_palabras|nuage_de_mots|nuvem_de_palavras|облако
percentage/share|百分比 比例 占比|割合 比率 パーセント|비율 퍼센트|prozent anteil anteile prozentsatz|porcentaje|pourcentage|porcentagem|процент доля
email/mail|邮件 电子邮件 邮箱|メール 電子メール|이메일 메일|e-mail mail post|correo correo_electrónico|courriel mail|e-mail correio|почта письмо
message|消息 信息 短信|メッセージ 伝言|메시지|nachricht|mensaje|message|mensagem|сообщение
chat/conversation|聊天 对话|チャット 会話|채팅 대화|unterhaltung gespräch|conversación|conversation discussion|conversa|чат разговор
notification|通知|通知|알림|benachrichtigung|notificación|notification|notificação|уведомление
comment|评论 注释|コメント|댓글|kommentar|comentario|commentaire|comentário|комментарий
branch|分支|ブランチ 枝|브랜치|zweig|rama|branche|ramo branch|ветка ветку
repository|仓库 存储库 代码库|リポジトリ|저장소 레포지토리|repositorium|repositorio|dépôt|repositório|репозиторий
commit|提交|コミット|커밋|commit|confirmación|commit|commit|коммит
pull request|拉取请求 合并请求|プルリクエスト|풀리퀘스트||solicitud_de_extracción|demande_de_tirage|solicitação_de_pull|
issue/ticket|议题 工单 问题|課題 イシュー チケット|이슈 티켓|problem|incidencia problema|problème|problema|проблема задача
difference/diff|差异 区别|差分 違い|차이|unterschied unterschiede|diferencia|différence|diferença|разница различие
code|代码 程序|コード プログラム|코드|code quelltext|código|code|código|код
function|函数 功能|関数 機能|함수|funktion|función|fonction|função|функция
error/bug|错误 报错 漏洞|エラー 誤り バグ|오류 에러 버그|fehler|error fallo|erreur bogue|erro falha|ошибка
log/history|日志 历史 记录|ログ 履歴|로그 기록 이력|protokoll verlauf|registro historial|journal historique|registro histórico|журнал лог история
version|版本|バージョン|버전|version|versión|version|versão|версия
latest|最新|最新|최신|neueste aktuellste|última último reciente|dernier dernière récent|último mais_recente|последний новейший
current|当前 现在 目前|現在 今|현재 지금|aktuell aktuelle aktuellen aktueller jetzt|actual ahora|actuel actuelle maintenant|atual agora|текущий сейчас
package/library|软件包 包 库|パッケージ ライブラリ|패키지 라이브러리|paket pakete bibliothek|paquete biblioteca|paquet bibliothèque|pacote biblioteca|пакет библиотека
dependency|依赖|依存|의존성|abhängigkeit|dependencia|dépendance|dependência|зависимость
vulnerability|漏洞|脆弱性|취약점|sicherheitslücke schwachstelle|vulnerabilidad|vulnérabilité faille|vulnerabilidade|уязвимость
security|安全|セキュリティ 安全|보안|sicherheit|seguridad|sécurité|segurança|безопасность
password|密码 口令|パスワード|비밀번호 암호|passwort kennwort|contraseña clave|mot_de_passe|senha|пароль
key|密钥 键|キー 鍵|키|schlüssel|clave llave|clé|chave|ключ
user/account|用户 账号 账户|ユーザー 利用者 アカウント|사용자 계정|benutzer nutzer konto|usuario cuenta|utilisateur compte|usuário conta|пользователь аккаунт
permission|权限|権限|권한|berechtigung rechte|permiso|permission autorisation|permissão|разрешение права
database|数据库|データベース|데이터베이스|datenbank|base_de_datos|base_de_données|banco_de_dados|база_данных
data|数据|データ|데이터|daten|dato datos|donnée données|dado dados|данные
query|查询|クエリ|쿼리|abfrage|consulta|requête|consulta|запрос
server|服务器|サーバー サーバ|서버|server|servidor|serveur|servidor|сервер
container|容器|コンテナ コンテナー|컨테이너|container behälter|contenedor|conteneur|contêiner|контейнер
virtual machine|虚拟机|仮想マシン|가상머신|maschine|máquina_virtual|machine_virtuelle|máquina_virtual|виртуальная_машина
cluster|集群|クラスタ|클러스터|cluster|clúster|grappe|cluster|кластер
cloud|云|クラウド|클라우드|cloud wolke|nube|nuage|nuvem|облако
network|网络|ネットワーク|네트워크|netzwerk|red|réseau|rede|сеть
domain|域名|ドメイン|도메인|domäne|dominio|domaine|domínio|домен
address|地址|アドレス 住所|주소|adresse anschrift|dirección|adresse|endereço|адрес
website/web|网站 网页|ウェブサイト サイト ウェブ|웹사이트 웹|webseite website internetseite|sitio web página_web|site web|site página_da_web|сайт веб
link/url|链接 网址|リンク|링크|link verknüpfung|enlace|lien|link|ссылка
browser|浏览器|ブラウザ|브라우저|browser|navegador|navigateur|navegador|браузер
internet/online|互联网 网上 在线|インターネット オンライン|인터넷 온라인|internet|internet línea|internet ligne|internet|интернет онлайн
task/todo|任务 待办|タスク 課題|작업 할일 태스크|aufgabe|tarea|tâche|tarefa|задача
project|项目|プロジェクト|프로젝트|projekt|proyecto|projet|projeto|проект
note/memo|笔记 备忘录 便签|メモ ノート|메모 노트|notiz|nota|note|nota|заметка
calendar|日历 日程|カレンダー|캘린더 달력|kalender|calendario|calendrier|calendário|календарь
event|事件 活动|イベント 予定|이벤트 행사|ereignis veranstaltung termin|evento|événement|evento|событие мероприятие
meeting|会议|会議 ミーティング|회의|besprechung sitzung treffen|reunión|réunion|reunião|встреча совещание
report|报告 报表|報告 レポート|보고서|bericht|informe reporte|rapport|relatório|отчёт
template|模板|テンプレート|템플릿|vorlage|plantilla|modèle|modelo|шаблон
form|表单|フォーム|양식|formular|formulario|formulaire|formulário|форма
setting/configuration|设置 配置|設定|설정|einstellung einstellungen konfiguration|configuración ajustes|paramètre configuration|configuração|настройки конфигурация
status|状态|状態 ステータス|상태|status zustand|estado|état statut|estado situação|статус состояние
information/info|信息 资料 详情|情報 詳細|정보|informationen auskunft angaben|información datos|information renseignement|informação|информация сведения
model|模型|モデル|모델|modell|modelo|modèle|modelo|модель
device|设备|デバイス 機器|기기 장치|gerät|dispositivo|appareil|dispositivo|устройство
process|进程|プロセス|프로세스|prozess|proceso|processus|processo|процесс
command/terminal|命令 终端|コマンド ターミナル|명령 터미널|befehl terminal|comando|commande terminal|comando|команда терминал
memory|内存 记忆|メモリ 記憶|메모리 기억|speicher|memoria|mémoire|memória|память
disk/storage|磁盘 存储|ディスク ストレージ|디스크 저장소|festplatte speicher|disco almacenamiento|disque stockage|disco armazenamento|диск хранилище
keyword|关键词 关键字|キーワード|키워드|stichwort|palabra_clave|mot-clé|palavra-chave|ключевое_слово
test|测试|テスト|테스트|test|prueba|test|teste|тест
title|标题|タイトル 題名|제목|titel|título|titre|título|заголовок название
content|内容|内容 コンテンツ|내용|inhalt|contenido|contenu|conteúdo|содержание
name|名称 名字|名前 名称|이름|name namen|nombre|nom|nome|имя название
number|号码 数字|番号 数|번호 숫자|nummer zahl|número|numéro nombre|número|номер число
random|随机|ランダム 乱数|랜덤 무작위|zufällig zufall zufalls|aleatorio|aléatoire hasard|aleatório|случайный случайное
all|所有 全部|すべて 全て|모든 전체|alle|todos todas|tous toutes|todos todas|все
several/multiple|多个 几个|複数|여러|mehrere|varios|plusieurs|vários|несколько
agent|代理 智能体|エージェント|에이전트|agent|agente|agent|agente|агент
session|会话|セッション|세션|sitzung|sesión|session|sessão|сессия
knowledge|知识|知識|지식|wissen|conocimiento|connaissance|conhecimento|знания
entity|实体|エンティティ|엔티티|entität|entidad|entité|entidade|сущность
relation|关系|関係|관계|beziehung|relación|relation|relação|отношение связь
graph|图谱 图|グラフ|그래프|graph|grafo|graphe|grafo|граф
`
